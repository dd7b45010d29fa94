"""Pictures of boards, pieces and their moves: SVG as text without colours, and plain characters.

A piece is drawn by how it moves, whatever its letter. Style sheets give the colours.
"""
