package io.idem.gateway.service.internal.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A path pattern of Spring in OpenAPI's syntax: expressions of variables move to their parameters, and wildcards become
 * variables.
 *
 * @param text the path, with {@code {name}} for every variable
 */
record PathTemplate(String text, List<Variable> variables) {

    static PathTemplate of(String pattern) {
        StringBuilder text = new StringBuilder();
        List<Variable> variables = new ArrayList<>();
        int position = 0;
        while (position < pattern.length()) {
            char c = pattern.charAt(position);
            int end = c == '{' ? closing(pattern, position) : c == '*' ? afterStars(pattern, position) : 0;
            if (end == 0) {
                text.append(c);
                position++;
            } else {
                Variable variable = c == '{'
                        ? Variable.of(pattern.substring(position + 1, end - 1))
                        : new Variable("wildcard" + (variables.size() + 1), Optional.empty());
                variables.add(variable);
                text.append('{').append(variable.name()).append('}');
                position = end;
            }
        }
        return new PathTemplate(text.toString(), List.copyOf(variables));
    }

    /** Returns the position of the closing brace; expressions may contain braces themselves. */
    private static int closing(String pattern, int open) {
        int depth = 0;
        for (int i = open; i < pattern.length(); i++) {
            depth += pattern.charAt(i) == '{' ? 1 : pattern.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return pattern.length();
    }

    private static int afterStars(String pattern, int first) {
        int end = first;
        while (end < pattern.length() && pattern.charAt(end) == '*') {
            end++;
        }
        return end;
    }

    /** A variable of the path. */
    record Variable(String name, Optional<String> expression) {

        private static Variable of(String text) {
            int colon = text.indexOf(':');
            return colon < 0
                    ? new Variable(text.replace("*", ""), Optional.empty())
                    : new Variable(text.substring(0, colon), Optional.of("^(?:" + text.substring(colon + 1) + ")$"));
        }

        JsonNode parameter() {
            return Part.named("variable")
                    .with("name", name)
                    .with("pattern", expression)
                    .json();
        }
    }
}
