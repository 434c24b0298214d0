package io.idem.gateway.internal.intake;

/**
 * A path of the intake that is answered to GET and HEAD; a bean for each.
 *
 * @param pattern as in {@code @RequestMapping}
 */
public record ReadPath(String pattern) {}
