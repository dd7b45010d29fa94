// Charts against the number of units. What to draw is in #ID-data (see charts.py), which every piece of
// news replaces; it is drawn in the element .chart with that id.
"use strict";

(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const plain = (value, digits) => value.toFixed(digits).replace("-", "−");

  function manage(place) {
    const read = () => JSON.parse(document.getElementById(`${place.id}-data`).textContent);
    const columns = () => [chart.units, ...chart.curves.map((curve) => curve.values)];
    const tallest = place.classList.contains("low") ? 240 : 360;
    const size = () => ({
      width: place.clientWidth,
      height: Math.round(Math.max(200, Math.min(tallest, place.clientWidth * 0.42))),
    });

    let chart = read();
    let plot = null;

    const write = (value, digits) =>
      (chart.signed && value > 0 ? "+" : "") + plain(value, digits);
    const withUnit = (_, value) =>
      value == null ? "–" : write(value, chart.digits) + (chart.unit ? `\u202f${chart.unit}` : "");

    // The vertical range always holds the levels and the curves; of curves that are wide at first,
    // the first quarter may run off the picture so that the rest can be read.
    function verticalRange() {
      const later = Math.floor(chart.units.length / 4);
      const seen = [
        ...chart.levels.map((level) => 1.25 * level.value),
        ...chart.curves.flatMap((curve) => curve.values.slice(curve.early ? later : 0)),
      ].filter((value) => value !== null);
      const low = Math.min(...seen);
      const high = Math.max(...seen);
      const air = 0.06 * (high - low) || 1;
      return [low - air, high + air];
    }

    function levels(u) {
      const { ctx, bbox } = u;
      const dot = devicePixelRatio;
      ctx.save();
      for (const level of chart.levels) {
        const y = Math.round(u.valToPos(level.value, "y", true));
        if (y < bbox.top || y > bbox.top + bbox.height) continue;
        ctx.beginPath();
        ctx.setLineDash(level.dash.map((n) => n * dot));
        ctx.lineWidth = dot;
        ctx.strokeStyle = colour(level.colour);
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
      }
      ctx.restore();
    }

    const series = (curve) => ({
      label: curve.label,
      stroke: curve.colour ? colour(curve.colour) : "transparent",
      width: curve.colour ? (curve.quiet ? 1 : 2) : 0,
      dash: curve.dash,
      points: {
        show: Boolean(curve.colour) && !curve.quiet && chart.units.length < 3,
        fill: curve.colour && colour(curve.colour),
      },
      value: withUnit,
    });

    function draw() {
      plot?.destroy();
      const axis = {
        stroke: colour("--soft"),
        font: "12px system-ui, sans-serif",
        grid: { stroke: colour("--hair"), width: 1 },
        ticks: { stroke: colour("--hair"), width: 1 },
      };
      plot = new uPlot(
        {
          ...size(),
          scales: {
            x: { time: false, range: () => [0, Math.max(chart.units.at(-1) ?? 0, 32)] },
            y: { range: verticalRange },
          },
          axes: [
            { ...axis, values: (_, ticks) => ticks.map((n) => n.toLocaleString("en")) },
            { ...axis, size: 58, values: (_, ticks) => ticks.map((n) => write(n, n % 1 ? 1 : 0)) },
          ],
          series: [
            { label: "Units", value: (_, n) => (n == null ? "–" : n.toLocaleString("en")) },
            ...chart.curves.map(series),
          ],
          bands: chart.band ? [{ series: chart.band, fill: colour("--band") }] : [],
          cursor: { y: false, points: { size: 7 } },
          legend: { markers: { show: false } },
          hooks: { drawAxes: [levels] },
        },
        columns(),
        place,
      );
      const rows = plot.root.querySelectorAll(".u-legend .u-series");
      chart.curves.forEach((curve, index) => {
        if (curve.quiet) rows[index + 1].style.display = "none";
      });
      place.dataset.points = chart.units.length;
    }

    function renew() {
      const before = chart;
      chart = read();
      if (!chart.units.length || !chart.curves.length) return;
      const anew = before.units.length < 3 || before.curves.length !== chart.curves.length;
      if (!plot || anew) draw();
      else plot.setData(columns());
      place.dataset.points = chart.units.length;
    }

    document.addEventListener("htmx:after:swap", renew);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plot && draw());
    new ResizeObserver(() => {
      if (plot && place.clientWidth && plot.width !== place.clientWidth) plot.setSize(size());
    }).observe(place);
    renew();
  }

  document.querySelectorAll(".chart").forEach(manage);
})();
