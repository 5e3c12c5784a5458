/** Runs handlers without an engine, for their tests. */
package upcall.testing;
