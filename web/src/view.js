// The page of a run that goes on.
import { Live } from './live.js';

window.carom = new Live(document.querySelector('main'));
