// The switches in the header: light or dark, two colours or four. Both are remembered.

const root = document.documentElement;
const THEMES = [
  ["system", "◐", "Auto", "auto: as the system says"],
  ["light", "☀", "Light", "light"],
  ["dark", "☾", "Dark", "dark"],
];

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // not remembered, and nothing worse
  }
}

function showTheme() {
  const [, sign, label, words] = THEMES.find(([name]) => name === (root.dataset.theme ?? "system"));
  const button = document.getElementById("theme");
  button.querySelector(".sign").textContent = sign;
  button.querySelector(".label").textContent = label;
  button.setAttribute("aria-label", `Colours: ${words}. Change`);
}

function nextTheme() {
  const names = THEMES.map(([name]) => name);
  const next = names[(names.indexOf(root.dataset.theme ?? "system") + 1) % names.length];
  if (next === "system") delete root.dataset.theme;
  else root.dataset.theme = next;
  remember("theme", next);
  showTheme();
}

function showColours() {
  document.getElementById("colours").setAttribute("aria-pressed", String(root.dataset.colours === "four"));
}

function nextColours() {
  if (root.dataset.colours === "four") delete root.dataset.colours;
  else root.dataset.colours = "four";
  remember("colours", root.dataset.colours ?? "two");
  showColours();
}

document.getElementById("theme").addEventListener("click", nextTheme);
document.getElementById("colours").addEventListener("click", nextColours);
showTheme();
showColours();
