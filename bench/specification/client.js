// Makes the calls as a page does: each body is a FormData, answers are read by fetch, event streams by EventSource.

/** Adds a value to a form, as axios does it: lists as `name[]`, what is inside as `name[field]`, nothing as empty. */
function append(form, name, value) {
  if (Array.isArray(value)) {
    value.forEach((one, nth) => append(form, one instanceof Object ? `${name}[${nth}]` : `${name}[]`, one))
  } else if (value instanceof Object) {
    for (const [field, inner] of Object.entries(value)) append(form, `${name}[${field}]`, inner)
  } else form.append(name, value ?? '')
}

async function read(response) {
  // A page is not told where a redirect leads.
  if (response.type === 'opaqueredirect') return [302, { Location: 'elsewhere' }, '']
  return [response.status, Object.fromEntries(response.headers), await response.text()]
}

async function send(method, path, fields) {
  const body = fields && new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) append(body, name, value)
  const headers = { 'X-Requested-With': 'XMLHttpRequest' }
  return read(await fetch(path, { method, headers, redirect: 'manual', ...(body ? { body } : {}) }))
}

/** EventSource says nothing of a refusal: the call is then made once more for its words. */
function readEvents(path) {
  return new Promise((resolve) => {
    const events = []
    const source = new EventSource(path)
    const end = (answer) => {
      source.close()
      resolve(answer)
    }
    source.addEventListener('message', ({ data }) => {
      events.push(data)
      if (data === '[DONE]') end([200, { 'Content-Type': 'text/event-stream' }, events])
    })
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED)
        end([200, { 'Content-Type': 'text/event-stream' }, events])
      else end(send('GET', path))
    })
  })
}

async function put(url, headers, base64) {
  const body = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  return read(await fetch(url, { method: 'PUT', headers, body }))
}

globalThis.client = { send, readEvents, put }
