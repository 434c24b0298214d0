package io.idem.http.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.springframework.util.StringUtils;

/** The secrets of one sender, as a text or a list, or those of several senders by their names. */
final class SigningSecrets extends LinkedHashMap<String, List<String>> {

    private static final long serialVersionUID = 1;

    /** Spring binds the elements of a list to a map by their numbers. */
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Returns the secrets in a text, separated by commas. Spring converts settings by this method. */
    public static SigningSecrets valueOf(String text) {
        SigningSecrets secrets = new SigningSecrets();
        secrets.put("0", List.of(StringUtils.commaDelimitedListToStringArray(text)));
        return secrets;
    }

    /**
     * Returns the secrets of the one sender; empty if senders are named. Numbers are names unless the first place of a list is among them.
     *
     * @throws IllegalArgumentException if numbers may be the names of senders or places in a list
     */
    Optional<List<String>> ofOne() {
        boolean list = containsKey("0")
                && keySet().stream().allMatch(name -> NUMBER.matcher(name).matches());
        if (!list && !isEmpty()) {
            return Optional.empty();
        }
        boolean places = IntStream.range(0, size()).allMatch(place -> containsKey(String.valueOf(place)));
        require(
                size() <= 1 || (places && values().stream().allMatch(secrets -> secrets.size() == 1)),
                "signing-secrets has the numbers " + keySet()
                        + ", which may be names of senders or places in a list; give"
                        + " senders names with a letter, such as m0, or write a list of one secret at each place");
        return Optional.of(values().stream().flatMap(List::stream).toList());
    }

    @Override
    public String toString() {
        return "secrets of " + keySet();
    }
}
