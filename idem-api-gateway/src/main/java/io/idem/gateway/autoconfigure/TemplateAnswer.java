package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Answers every request of a route with a JSON template. Immutable. */
final class TemplateAnswer implements IntakeHandler {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final int status;
    private final TextTemplate body;
    private final TextTemplate location;

    /**
     * Creates an answer. Values in the body are escaped for JSON strings, values in the location for a segment of a
     * path.
     *
     * @param status a status from 200 to 299
     * @param body JSON
     * @param location a URI
     * @throws IllegalArgumentException if an argument is not of this form
     */
    TemplateAnswer(int status, TextTemplate body, TextTemplate location) {
        this.status = status;
        this.body = body;
        this.location = location;
        if (status < 200 || status > 299) {
            throw new IllegalArgumentException(
                    "status " + status + " does not say that the request was taken; use 2xx");
        }
        checkBody();
        checkLocation();
    }

    private void checkBody() {
        try {
            JSON.readTree(body.sample());
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "body is not JSON; put placeholders inside of strings, as in {\"id\":\"{id}\"}", malformed);
        }
    }

    private void checkLocation() {
        try {
            URI.create(location.sample());
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("location is not a URI: " + malformed.getMessage(), malformed);
        }
    }

    @Override
    public ServerResponse handle(IntakeRequest request) {
        return ServerResponse.status(status)
                .location(URI.create(location.render(request, TemplateAnswer::inPath)))
                .contentType(MediaType.APPLICATION_JSON)
                .body(body.render(request, TemplateAnswer::inJson).getBytes(StandardCharsets.UTF_8));
    }

    private static String inPath(String value) {
        return UriUtils.encode(value, StandardCharsets.UTF_8);
    }

    private static String inJson(String value) {
        String quoted = JSON.writeValueAsString(value);
        return quoted.substring(1, quoted.length() - 1);
    }
}
