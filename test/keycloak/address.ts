/** Where `npm run test:providers` starts Keycloak. */
export const KEYCLOAK = 'http://127.0.0.1:8599'
export const ADMINISTRATOR = { username: 'root', password: 'of the tests only' }
