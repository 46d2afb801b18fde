// What stays when the page is left: which game is being played, and the phantoms that a person has placed in it.

const GAME = "kriegspiel";

/** What a store says or does; one that is shut remembers nothing, and nothing worse. */
function trying(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

export const rememberGame = (game) => trying(() => localStorage.setItem(GAME, game));
export const rememberedGame = () => trying(() => localStorage.getItem(GAME));

/** Another tab may have begun a game of its own meanwhile: that one stays. */
export function forgetGame(game) {
  if (rememberedGame() === game) trying(() => localStorage.removeItem(GAME));
}

/** They are the person's own: they stay in this window, and the server never hears of them. */
export const keepPhantoms = (game, phantoms) =>
  trying(() => sessionStorage.setItem(`phantoms ${game}`, JSON.stringify([...phantoms])));

export const keptPhantoms = (game) =>
  trying(() => new Map(JSON.parse(sessionStorage.getItem(`phantoms ${game}`) ?? "[]"))) ?? new Map();
