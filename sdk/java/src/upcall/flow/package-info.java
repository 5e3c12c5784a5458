/**
 * Flows inside Java programs: the engine is loaded, and calls handlers of the program's own in the virtual machine that runs
 * already. {@link upcall.flow.Flow} is where to begin.
 */
package upcall.flow;
