package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers every request of a route with a JSON template. Values in the body are escaped for JSON strings, values in the
 * location for a segment of a path. The constructor refuses arguments of another form. Immutable.
 *
 * @param status a status from 200 to 299
 * @param body JSON
 * @param location a URI
 * @param within whether the location is a path within the application, to which the path of the application is added
 */
record TemplateAnswer(int status, TextTemplate body, TextTemplate location, boolean within) implements IntakeHandler {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    TemplateAnswer {
        if (status < 200 || status > 299) {
            throw new IllegalArgumentException(
                    "status " + status + " does not say that the request was taken; use 2xx");
        }
        checkBody(body);
        checkLocation(location);
    }

    private static void checkBody(TextTemplate body) {
        try {
            JSON.readTree(body.sample());
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "body is not JSON; put placeholders inside of strings, as in {\"id\":\"{id}\"}", malformed);
        }
    }

    private static void checkLocation(TextTemplate location) {
        try {
            URI.create(location.sample());
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("location is not a URI: " + malformed.getMessage(), malformed);
        }
    }

    @Override
    public ServerResponse handle(IntakeRequest request) {
        String prefix = within ? prefix(request.http().requestPath()) : "";
        return ServerResponse.status(status)
                .location(URI.create(prefix + location.render(request, TemplateAnswer::inPath)))
                .contentType(MediaType.APPLICATION_JSON)
                .body(body.render(request, TemplateAnswer::inJson).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns context path and servlet path, behind the prefix that a proxy has cut off where the application knows it. */
    private static String prefix(RequestPath path) {
        String whole = path.value();
        return whole.substring(
                0, whole.length() - path.pathWithinApplication().value().length());
    }

    private static String inPath(String value) {
        return UriUtils.encode(value, StandardCharsets.UTF_8);
    }

    private static String inJson(String value) {
        String quoted = JSON.writeValueAsString(value);
        return quoted.substring(1, quoted.length() - 1);
    }
}
