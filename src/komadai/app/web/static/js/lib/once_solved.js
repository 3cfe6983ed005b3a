// @ts-check
/** Questions that the server answers once it has solved the game. */

import { showNotice } from "./notice.js";

const ASK_AGAIN = 1000; // milliseconds

/** Say how far the server is. @param {string} words */
function wait(words) {
  showNotice(words, true);
  return true;
}

/**
 * Ask again and again while the server solves the game.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(words: string) => boolean} [meanwhile] is told how far the server is; false: stop asking
 */
export async function onceSolved(ask, meanwhile = wait) {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      // The cause is the share of the work that is done: see answerOf.
      if (!(error instanceof Error && typeof error.cause === "number" && meanwhile(error.message))) throw error;
      await new Promise((done) => setTimeout(done, ASK_AGAIN));
    }
}
