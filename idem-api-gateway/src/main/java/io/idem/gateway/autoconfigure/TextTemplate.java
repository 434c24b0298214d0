package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders such as {@code {id}}: the operation's {@code id}, the client's {@code key}, its
 * {@code tenant}, and the variables of the route's path. Immutable.
 */
final class TextTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_-]*)}");
    private static final Set<String> ALWAYS_KNOWN = Set.of("id", "key", "tenant");

    private final String text;

    /**
     * Creates a template.
     *
     * @param pathVariables the names of the variables of the route's path
     * @throws IllegalArgumentException if the text uses another name
     */
    TextTemplate(String text, Set<String> pathVariables) {
        this.text = text;
        PLACEHOLDER.matcher(text).results().map(found -> found.group(1)).forEach(name -> {
            if (!ALWAYS_KNOWN.contains(name) && !pathVariables.contains(name)) {
                throw new IllegalArgumentException("placeholder {" + name
                        + "} is neither {id}, {key} or {tenant} nor a variable of the route's path");
            }
        });
    }

    /** Returns whether a name has the same meaning on every route, so that a variable of a path must not use it. */
    static boolean isAlwaysKnown(String name) {
        return ALWAYS_KNOWN.contains(name);
    }

    /** Returns the text for a request, without escaping. */
    String render(IntakeRequest request) {
        return render(request, UnaryOperator.identity());
    }

    String render(IntakeRequest request, UnaryOperator<String> escape) {
        Map<String, String> values = new HashMap<>(request.http().pathVariables());
        values.put("id", request.id());
        values.put("key", request.key().value());
        values.put("tenant", request.key().tenant());
        return fill(name -> escape.apply(values.getOrDefault(name, "")));
    }

    /** Returns the text with a sample word for every placeholder, to check its form. */
    String sample() {
        return fill(name -> "x");
    }

    String fill(UnaryOperator<String> valueOf) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(valueOf.apply(found.group(1))));
    }

    @Override
    public String toString() {
        return text;
    }
}
