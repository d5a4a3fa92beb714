import { Live } from './live.js';
window.carom = new Live(document.querySelector('main'));
