package io.idem.gateway.internal.intake;

/**
 * A path of the intake that answers GET and HEAD; declare a bean for each.
 *
 * @param pattern a pattern as in {@code @RequestMapping}
 */
public record ReadPath(String pattern) {}
