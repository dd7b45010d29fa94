// Replays a finished game: buttons, arrow keys, slider and move list, all without a new page. Without
// this script each of them is an ordinary link to the page of that position.
"use strict";

(() => {
  const root = document.getElementById("replay");
  if (!root) return;

  const plies = JSON.parse(document.getElementById("plies").textContent);
  const last = plies.length - 1;
  const board = root.querySelector(".board");
  const men = board.querySelector(".men");
  const marks = board.querySelector(".marks");
  const caption = root.querySelector(".now");
  const fen = root.querySelector(".fen");
  const list = root.querySelector(".moves");
  const slider = root.querySelector(".slider input");
  const links = new Map(
    [...list.querySelectorAll("a[data-ply]")].map((link) => [Number(link.dataset.ply), link]),
  );

  const SQUARE = 100;
  const margin = Number(board.dataset.margin);
  const ranks = Number(board.dataset.ranks);
  let ply = Number(root.dataset.ply);

  function shape(name, square, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    const box = {
      x: margin + (square % 16) * SQUARE,
      y: (ranks - 1 - Math.floor(square / 16)) * SQUARE,
      width: SQUARE,
      height: SQUARE,
    };
    for (const [key, value] of Object.entries({ ...attributes, ...box })) {
      element.setAttribute(key, value);
    }
    return element;
  }

  // As board.py reads a FEN: blanks may have several digits, a star is a hole.
  function placement(text) {
    const found = [];
    text.split(" ", 1)[0].split("[", 1)[0].split("/").forEach((row, index) => {
      let file = 0;
      for (const token of row.match(/\d+|[A-Za-z]|\*/g) ?? []) {
        if (/\d/.test(token)) {
          file += Number(token);
          continue;
        }
        if (token !== "*") found.push([(ranks - 1 - index) * 16 + file, token]);
        file += 1;
      }
    });
    return found;
  }

  function show(next) {
    ply = Math.max(0, Math.min(last, next));
    const now = plies[ply];
    men.replaceChildren(
      ...placement(now.fen).map(([square, letter]) =>
        shape("use", square, {
          href: `#piece-${letter.toUpperCase()}`,
          class: letter === letter.toUpperCase() ? "white" : "black",
        }),
      ),
    );
    marks.replaceChildren(...now.squares.map((square) => shape("rect", square, { class: "mark" })));
    board.setAttribute("aria-label", now.label);
    caption.textContent = now.caption;
    fen.textContent = now.fen;
    slider.value = ply;
    root.dataset.ply = ply;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    links.get(ply)?.setAttribute("aria-current", "step");
    scrollList();
    history.replaceState(null, "", ply ? `?ply=${ply}` : location.pathname);
  }

  // Keeps the current move in sight without moving the page.
  function scrollList() {
    const link = links.get(ply);
    const [top, bottom] = [list.scrollTop, list.scrollTop + list.clientHeight];
    if (!link) list.scrollTop = 0;
    else if (link.offsetTop < top || link.offsetTop + link.offsetHeight > bottom) {
      list.scrollTop = link.offsetTop - list.clientHeight / 2;
    }
  }

  const steps = {
    first: () => 0,
    back: () => ply - 1,
    forward: () => ply + 1,
    last: () => last,
  };
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = link.dataset.step ? steps[link.dataset.step]() : Number(link.dataset.ply);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    show(to);
  });
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(steps[step]());
  });
  slider.addEventListener("input", () => show(Number(slider.value)));

  for (const hidden of root.querySelectorAll(".slider, .hint")) hidden.hidden = false;
  scrollList();
})();
