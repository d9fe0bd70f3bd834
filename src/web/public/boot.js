// Runs before the first paint. Its own file because the page allows no inline script. A dark page never flashes white, and a
// sidebar that was put away is not seen to go: src/web/core/theme.ts and src/web/shell/sidebarVisibility.ts keep both.
;(function () {
  var theme = null
  var sidebar = null
  try {
    theme = localStorage.getItem('theme')
    sidebar = localStorage.getItem('wenqu.sidebar')
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  var root = document.documentElement.classList
  root.toggle(
    'dark',
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches),
  )
  root.toggle('sidebar-hidden', sidebar === 'hidden')

  // Where the picture is in the document already, the app begins behind it: it is painted first.
  var entry = document.currentScript.dataset.entry
  if (!entry) return
  var begin = function () {
    setTimeout(function () {
      void import(entry)
    })
  }
  document.addEventListener('DOMContentLoaded', function () {
    if (document.hidden) begin()
    else requestAnimationFrame(begin)
  })

  // Who sends a question before that is heard afterwards.
  var sent = null
  document.addEventListener(
    'keydown',
    function (event) {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      if (!event.target.matches('[data-server-rendered] textarea')) return
      event.preventDefault()
      sent = event.target
    },
    true,
  )
  addEventListener('hydrated', function () {
    if (sent)
      sent.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
})()
