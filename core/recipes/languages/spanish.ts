import { SPANISH_WORDS } from './spanish-words.ts'
import type { LexiconData } from './language.ts'

/** Spanish, brought into the words that recipes know. */
export const SPANISH: LexiconData = {
  language: 'es',
  endings: { adjective: ['o', 'a', 'os', 'as'], verb: ['a', 'ar', 'e', 'as', 'es', 'en', 'ad', 'amos'] },
  words: SPANISH_WORDS,
  colours: {
    'red': 'roj*',
    'green': 'verde, verdes',
    'blue': 'azul, azules',
    'yellow': 'amarill*',
    'orange': 'naranja, naranjas, anaranjad*',
    'purple': 'morad*, violeta, violetas, púrpura, lila',
    'pink': 'rosa, rosas, rosad*',
    'brown': 'marrón, marrones, castañ*, color café',
    'grey': 'gris, grises',
    'gold': 'dorad*',
    'silver': 'platead*',
    'teal': 'verde azulado, cerceta',
    'turquoise': 'turquesa, turquesas',
    'beige': 'beige, beis',
    'crimson': 'carmesí',
    'lavender': 'lavanda',
    'mint': 'menta, verde menta',
    'navy': 'azul marino',
    'sky blue': 'azul cielo, celeste',
    'olive': 'verde oliva, oliva',
  },
  shades: { dark: '{} oscuro, {} oscura, {} oscuros', light: '{} claro, {} clara, {} claros', pale: '{} pálido' },
  brackets: {},
  final: '',
  heads: '',
  first: {
    'cómo': 'how to',
    'como': 'how to',
    'debería': 'should i',
    'debo': 'should i',
    'fuera': 'ditch',
    'deberíamos': 'should we',
    'cómo puedo': 'how can i',
    'no': 'dont',
  },
  last: { no: 'no', recupéralo: 'redo it', restáuralo: 'redo it', recupera: 'redo', restaura: 'redo' },
  manners: 'gracias, por, favor, porfa, ahora, ya, también, otra, vez, de, nuevo, eso, esto, lo, todo, pues',
  ordinary:
    'quité, quito, borré, borro, cambié, cambió, añadí, puse, hice, hizo, comer, comprar, compra, compras, casas, casos, pasado, pesado, posada, mesa, pasta, costa, cuesta, puesta, vuelta, suelta, tarta, carta, cartas, marcha, mancha, rosca, boca, toca, gota, notar, nadar, nacer, hacen, hacía, deber, beber, verde, viene, vienes, tiene, tienes, puedo, pueden, llamar, llama, llave, llevar, letrero, listo, listos, lista, fecho, ficha, hecha, techo, lecho, hojas, horno, honra, tomar, temer, tomas, textil, teatro, bonita, cuenta, cuento, cuentos, jardín, recetas, viaje, ideas, idea, perro, pero, barro, burro, barco, banco, blanda, brillar, colora, dolor, calor, valor, olor',
  withdrawals: {
    always:
      'olvídalo, da igual, déjalo, déjalo así, no importa, déjalo estar, para, para ya, detente, basta, cancela, he cambiado de idea, he cambiado de opinión, mejor no, no hace falta, déjalo como está, olvida eso',
    asked:
      'no, no gracias, ninguno, ninguna, ninguno de ellos, nada, no sé, no lo sé, ni uno ni otro, ninguna de las dos',
  },
  titles: {
    leading:
      'un, una, unos, unas, el, la, los, las, mi, mis, nuestro, nuestra, nuestros, nuestras, todos, todas, de, del, para, sobre, nuevo, nueva, nuevas',
    trailing: 'por favor, porfa, gracias, también, ahora, aquí, ahí, allí, dentro',
    listed:
      'lista, tarea, compra, por hacer, por leer, por ver, por comprar, deberes, objetivo, recado, pendiente, tachar',
    generic: 'cosas, todo, notas, pensamientos, algo',
    timer: 'Temporizador {}',
    usual: { notes: 'Notas', todo: 'Tareas', timer: 'Temporizador' },
  },
}
