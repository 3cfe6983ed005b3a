// @ts-check

/**
 * Do something with a module on its way; without it, as where the connection is lost, the page goes on.
 * @template M
 * @param {Promise<M>} module @param {(module: M) => void} act
 */
export function whenLoaded(module, act) {
  void module.then(act, () => {});
}
