package io.idem.http.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
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

    /** Returns the secrets of the one sender; empty if senders are named. */
    Optional<List<String>> ofOne() {
        List<String> all = new ArrayList<>();
        values().forEach(all::addAll);
        return keySet().stream().allMatch(name -> NUMBER.matcher(name).matches()) ? Optional.of(all) : Optional.empty();
    }

    @Override
    public String toString() {
        return "secrets of " + keySet();
    }
}
