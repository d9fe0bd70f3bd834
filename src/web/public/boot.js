// Runs before the first paint. Its own file because the page allows no inline script. A dark page never flashes white, and a
// sidebar that was put away is not seen to go: src/web/core/theme.ts and src/web/shell/sidebarVisibility.ts keep both.
;(function () {
  /** A click is not repeated to somebody who has given up on it. */
  var MAX_CLICK_AGE_MS = 10000
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

  // Who sends a question or presses a button before that is heard afterwards: a question first, else the last click.
  var sent = null
  var clicked = null
  document.addEventListener(
    'click',
    function (event) {
      var button = event.target.closest('[data-server-rendered] button')
      if (!button) return
      // React would hear a click that comes while it takes the page over, and this one is repeated.
      event.stopImmediatePropagation()
      event.preventDefault()
      clicked = { button, at: event.timeStamp }
    },
    true,
  )
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
    else if (clicked)
      // After the drawing of what only the browser knows.
      setTimeout(function () {
        var isRecent = performance.now() - clicked.at < MAX_CLICK_AGE_MS
        if (!isRecent || !clicked.button.isConnected) return
        // Tabs listen to the press.
        clicked.button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
        clicked.button.click()
      })
  })
})()
