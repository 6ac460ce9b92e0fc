/** Data that the build of the page makes: see vite.config.js. */
declare module 'virtual:engine-offer' {
  export const offer: import('./algorithm-settings.ts').EngineOffer
}
