// The chart of one experiment: the estimate against the units counted, its interval as a band, zero and
// the declared margin as lines. The numbers are in #chart-data, which every piece of news replaces.
"use strict";

(() => {
  const place = document.getElementById("chart");
  if (!place) return;

  const read = () => JSON.parse(document.getElementById("chart-data").textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const columns = (chart) => [chart.units, chart.value, chart.low, chart.high];
  const size = () => ({
    width: place.clientWidth,
    height: Math.round(Math.max(220, Math.min(360, place.clientWidth * 0.42))),
  });

  let chart = read();
  let plot = null;

  const write = (value, digits) =>
    value == null ? "–" : (value > 0 ? "+" : "") + value.toFixed(digits).replace("-", "−");
  const withUnit = (_, value) =>
    value == null ? "–" : `${write(value, chart.digits)}${chart.unit ? "\u202f" + chart.unit : ""}`;

  // The vertical range always holds zero, the margin and the estimate; the first, very wide
  // intervals may run off the picture so that the later ones can be read.
  function verticalRange() {
    const later = Math.floor(chart.units.length / 4);
    const seen = [
      0,
      1.25 * chart.margin,
      -1.25 * chart.margin,
      ...chart.value,
      ...chart.low.slice(later),
      ...chart.high.slice(later),
    ].filter((value) => value !== null);
    const low = Math.min(...seen);
    const high = Math.max(...seen);
    const air = 0.06 * (high - low);
    return [low - air, high + air];
  }

  function lines(u) {
    const { ctx, bbox } = u;
    const dot = devicePixelRatio;
    const across = (value, dash, style) => {
      const y = Math.round(u.valToPos(value, "y", true));
      if (y < bbox.top || y > bbox.top + bbox.height) return;
      ctx.beginPath();
      ctx.setLineDash(dash.map((n) => n * dot));
      ctx.lineWidth = dot;
      ctx.strokeStyle = style;
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    };
    ctx.save();
    across(0, [], colour("--soft"));
    across(chart.margin, [5, 4], colour("--b"));
    across(-chart.margin, [5, 4], colour("--b"));
    ctx.restore();
  }

  function draw() {
    plot?.destroy();
    const axis = {
      stroke: colour("--soft"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: colour("--hair"), width: 1 },
      ticks: { stroke: colour("--hair"), width: 1 },
    };
    const edge = { stroke: "transparent", width: 0, points: { show: false }, value: withUnit };
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
          {
            label: chart.label,
            stroke: colour("--a"),
            width: 2,
            points: { show: chart.units.length < 3, fill: colour("--a") },
            value: withUnit,
          },
          { ...edge, label: "Interval from" },
          { ...edge, label: "to" },
        ],
        bands: [{ series: [3, 2], fill: colour("--band") }],
        cursor: { y: false, points: { size: 7 } },
        legend: { markers: { show: false } },
        hooks: { drawAxes: [lines] },
      },
      columns(chart),
      place,
    );
    place.dataset.points = chart.units.length;
  }

  function renew() {
    const next = read();
    const first = chart.units.length < 3;
    chart = next;
    if (!chart.units.length) return;
    if (!plot || first) draw();
    else plot.setData(columns(chart));
    place.dataset.points = chart.units.length;
  }

  document.addEventListener("htmx:after:swap", renew);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plot && draw());
  new ResizeObserver(() => {
    if (plot && plot.width !== place.clientWidth) plot.setSize(size());
  }).observe(place);
  renew();
})();
