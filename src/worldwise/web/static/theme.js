// Runs before anything is painted, so that a page that was dark stays dark; a module would come too late.
(() => {
  const read = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage may be forbidden: then every page starts as the system says
    }
  };
  const theme = read("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (read("colours") === "four") document.documentElement.dataset.colours = "four";
})();
