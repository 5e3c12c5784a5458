/** What {@code upcall bench boundary} measures. */
package upcall.probes;
