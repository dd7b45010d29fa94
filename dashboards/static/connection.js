// Says so on the page when the coordinator stops answering, and takes it back when it answers again.
"use strict";

(() => {
  const away = (is) => document.body.classList.toggle("away", is);
  document.addEventListener("htmx:error", () => away(true));
  document.addEventListener("htmx:after:request", (event) => {
    away((event.detail?.ctx?.response?.status ?? 0) >= 500);
  });
})();
