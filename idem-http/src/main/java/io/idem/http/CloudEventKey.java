package io.idem.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.web.util.UriUtils;

/**
 * Reads source and id of a CloudEvent, from headers in binary mode and from a JSON body in structured mode. An event has one key, whichever
 * mode its sender uses.
 *
 * @param unquoting whether quotes around a header's value are no part of it; earlier versions took them for a part
 */
record CloudEventKey(boolean unquoting) implements KeySource {

    private static final String STRUCTURED = "application/cloudevents";
    private static final KeySource IN_JSON = KeySource.jsonPointers("/source", "/id");

    @Override
    public Optional<List<String>> read(IncomingRequest request, byte[] body) {
        String type = KeyParts.header(request, "Content-Type")
                .map(sent -> sent.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .orElse("");
        if (type.equals(STRUCTURED + "+json")) {
            return IN_JSON.read(request, body);
        }
        return type.startsWith(STRUCTURED) ? Optional.empty() : binary(request);
    }

    @Override
    public Optional<List<String>> former(IncomingRequest request, byte[] body) {
        return new CloudEventKey(false).read(request, body);
    }

    private Optional<List<String>> binary(IncomingRequest request) {
        return attribute(request, "ce-source")
                .flatMap(source -> attribute(request, "ce-id").map(id -> List.of(source, id)));
    }

    /** Returns the value of an attribute, which senders quote, or encode in per cent, where a header cannot carry it. */
    private Optional<String> attribute(IncomingRequest request, String name) {
        try {
            return KeyParts.header(request, name)
                    .map(sent -> unquoting && sent.matches("\".+\"") ? unquoted(sent) : sent)
                    .map(sent -> UriUtils.decode(sent, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static String unquoted(String sent) {
        return sent.substring(1, sent.length() - 1).replaceAll("\\\\(.)", "$1");
    }

    @Override
    public String place() {
        return "ce-source and ce-id, or source and id of application/cloudevents+json";
    }
}
