"""Rules in words: what a rule set says, written out as a person would, for its designer to see
whether it was understood. Every sentence is made from the rules, none from a game's name."""
