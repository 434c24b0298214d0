package io.idem.test.redis;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tests that a table of the documentation names in its last column. */
final class ErrorTable {

    private static final Pattern LAST_CELL = Pattern.compile("\\| `(\\w+)` \\|$", Pattern.MULTILINE);

    private ErrorTable() {}

    static Set<String> testsIn(String page) {
        return LAST_CELL.matcher(page).results().map(cell -> cell.group(1)).collect(Collectors.toSet());
    }

    static Set<String> testsOf(Class<?>... classes) {
        return Stream.of(classes)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }
}
