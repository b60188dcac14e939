/** Gets a token for each call. */
import { exchange, get, web } from './careful.js'

for (let call = 0; call < 5; call++) await get(`${web}?per_page=1`, await exchange())
