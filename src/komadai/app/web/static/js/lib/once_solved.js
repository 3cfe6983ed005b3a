// @ts-check
/** Questions that the server answers once it has solved the game. */

const ASK_AGAIN = 1000; // milliseconds

/**
 * Ask again and again while the server solves the game.
 * @template T
 * @param {() => Promise<T>} ask @param {(words: string) => boolean} meanwhile how far the server is; false: stop asking
 */
export async function onceSolved(ask, meanwhile) {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      // The cause is the share of the work that is done: see answerOf.
      if (!(error instanceof Error && typeof error.cause === "number" && meanwhile(error.message))) throw error;
      await new Promise((done) => setTimeout(done, ASK_AGAIN));
    }
}
