export function Desktop() {
  return <main>Hello</main>
}
