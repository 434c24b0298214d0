package io.idem.gateway.internal.intake;

import io.idem.gateway.IntakeRequest;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RequestCheck;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Accepts bodies that are one JSON object without duplicate names, since consumers disagree on which of two members
 * counts. Thread-safe.
 */
public final class JsonObjectCheck implements RequestCheck {

    private static final MediaType JSON_SUFFIX = new MediaType("application", "*+json");

    private final JsonMapper json = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    @Override
    public Optional<Refusal> check(IncomingRequest request, byte[] body) {
        if (!saysJson(contentType(request))) {
            return Optional.of(Refusal.of(
                    GatewayProblem.MEDIA_TYPE_UNSUPPORTED, "Send the body with Content-Type: application/json."));
        }
        return isObject(body)
                ? Optional.empty()
                : Optional.of(Refusal.of(
                        GatewayProblem.BODY_NOT_JSON_OBJECT,
                        "Send one well-formed JSON object whose names are all different."));
    }

    private static @Nullable String contentType(IncomingRequest request) {
        return request.header(HttpHeaders.CONTENT_TYPE).stream().findFirst().orElse(null);
    }

    /** Returns whether the content type is JSON; a missing one counts as JSON. */
    private static boolean saysJson(@Nullable String contentType) {
        if (contentType == null) {
            return true;
        }
        if (!IntakeRequest.fits(contentType)) {
            return false;
        }
        try {
            MediaType type = MediaType.parseMediaType(contentType);
            return MediaType.APPLICATION_JSON.includes(type) || JSON_SUFFIX.includes(type);
        } catch (InvalidMediaTypeException malformed) {
            return false;
        }
    }

    private boolean isObject(byte[] body) {
        try (JsonParser parser = json.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException malformed) {
            return false;
        }
    }
}
