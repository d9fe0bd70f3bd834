// Runs before the first paint, so that a dark page never flashes white. Its own file because the page allows no
// inline script. src/web/theme.ts changes the choice later, under the same key.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('theme')
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
})()
