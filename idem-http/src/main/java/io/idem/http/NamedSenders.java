package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several senders of webhooks at one address, told apart by their signatures. The name of the sender is part of the key: two senders may
 * give the same number to their events. What was recorded before there were names is the first sender's. Thread-safe.
 */
final class NamedSenders implements KeySource, RequestCheck {

    private final WebhookPreset preset;
    private final Map<String, WebhookSignature> signatures = new LinkedHashMap<>();

    /** @throws IllegalArgumentException if a secret is that of two senders, or is not in the form of the preset */
    NamedSenders(WebhookPreset preset, Map<String, List<String>> secrets) {
        this.preset = preset;
        List<String> all = secrets.values().stream().flatMap(List::stream).toList();
        require(
                all.size() == all.stream().distinct().count(),
                "signing-secrets of " + preset + " has one secret twice, which would not tell whose event it signs");
        require(!secrets.isEmpty(), "signing-secrets of " + preset + " is empty; name at least one");
        secrets.forEach((name, own) -> signatures.put(name, preset.signature(own)));
    }

    @Override
    public Optional<Refusal> check(IncomingRequest request, byte[] body) {
        return signatures.values().stream()
                .filter(signature -> signature.isOf(request, body))
                .findFirst()
                .orElseGet(() -> signatures.values().iterator().next())
                .check(request, body);
    }

    @Override
    public Optional<List<String>> read(IncomingRequest request, byte[] body) {
        return preset.read(request, body)
                .flatMap(parts -> sender(request, body).map(name -> {
                    List<String> named = new ArrayList<>(parts);
                    named.add(1, name);
                    return named;
                }));
    }

    @Override
    public Optional<List<String>> former(IncomingRequest request, byte[] body) {
        boolean first = sender(request, body)
                .filter(signatures.keySet().iterator().next()::equals)
                .isPresent();
        return first ? preset.former(request, body).or(() -> preset.read(request, body)) : Optional.empty();
    }

    private Optional<String> sender(IncomingRequest request, byte[] body) {
        return signatures.entrySet().stream()
                .filter(known -> known.getValue().check(request, body).isEmpty())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public String place() {
        return preset.place() + ", with the name of the sender whose secret signed it";
    }
}
