package upcall.testing;

/**
 * One line that the handler logged.
 *
 * @param level 1 is an error, 2 a warning, 3 worth telling, 4 for debugging
 * @param text the line
 */
public record Logged(int level, String text) {}
