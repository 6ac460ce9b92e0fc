/** Links, files and films. */
export function Sharing() {
  return <section class="sharing" aria-label="Share" />
}
