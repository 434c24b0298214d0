package io.idem.http.internal.openapi;

import static org.springframework.util.StringUtils.getFilename;

import io.idem.http.HttpProblem;
import io.idem.http.KeyRules;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.FilterParts;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * Adds to the operations of protected routes what the filter reads and answers: the header of the key, 409, 422 and 503, and the header that
 * marks a replay. What the application has described stays. Thread-safe.
 */
public record ProtectedOperations(FilterParts parts) implements GlobalOpenApiCustomizer {

    /** A variable of a path pattern; a path of OpenAPI lacks its regular expression and may name it otherwise. */
    private static final Pattern VARIABLE = Pattern.compile("\\{\\w+(?::(?:[^{}]|\\{[^{}]*})*)?}");

    @Override
    public void customise(OpenAPI document) {
        document.getPaths()
                .forEach((path, item) -> item.readOperationsMap()
                        .forEach((method, operation) -> options(method.name(), path)
                                .ifPresent(options ->
                                        describe(operation, options, described(document, item, operation)))));
    }

    private Optional<RouteOptions> options(String method, String path) {
        return parts.routes().get().all().stream()
                .filter(route -> route.methods().contains(HttpMethod.valueOf(method)))
                .filter(route -> route.path().matches(PathContainer.parsePath(path))
                        || unnamed(path).equals(unnamed(route.path().getPatternString())))
                .findFirst()
                .flatMap(parts.routes().get()::of);
    }

    private static String unnamed(String path) {
        return VARIABLE.matcher(path).replaceAll("{}");
    }

    private void describe(Operation operation, RouteOptions options, Stream<Parameter> described) {
        ApiResponses responses = Objects.requireNonNullElseGet(operation.getResponses(), ApiResponses::new);
        Header replayed = header("`true` if the operation was done before.");
        responses.values().stream()
                .filter(response -> response.get$ref() == null)
                .forEach(response -> response.addHeaderObject(parts.marker().name(), replayed));
        operation.setResponses(responses);
        responses.putIfAbsent("503", refusal(503));
        if (options.keySource().isEmpty()) {
            responses.putIfAbsent("409", refusal(409));
            responses.putIfAbsent("422", refusal(422));
            if (described.noneMatch(parameter -> parts.keyHeader().equalsIgnoreCase(parameter.getName()))) {
                KeyRules rules = options.keyRules();
                operation.addParametersItem(new HeaderParameter()
                        .name(parts.keyHeader())
                        .required(options.required())
                        .description("Names the operation: every retry carries the same value.")
                        .schema(new StringSchema().minLength(rules.minLength()).maxLength(rules.maxLength())));
            }
        }
    }

    /** Returns the parameters of an operation and of its path, which may stand in the components of the document. */
    private static Stream<Parameter> described(OpenAPI document, PathItem item, Operation operation) {
        Map<String, Parameter> shared = Optional.ofNullable(document.getComponents())
                .map(Components::getParameters)
                .orElse(Map.of());
        return Stream.of(item.getParameters(), operation.getParameters())
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .map(one -> one.get$ref() == null ? one : shared.getOrDefault(getFilename(one.get$ref()), one));
    }

    private ApiResponse refusal(int status) {
        MediaType body = new MediaType().schema(new ObjectSchema());
        return new ApiResponse()
                .description(Stream.of(HttpProblem.values())
                        .filter(problem -> problem.status() == status)
                        .map(problem -> "- `" + problem.type() + "`: " + problem.title())
                        .collect(Collectors.joining("\n")))
                .addHeaderObject(HttpHeaders.RETRY_AFTER, header("Seconds to wait, where that is known."))
                .content(new Content().addMediaType(parts.refusals().mediaType(), body));
    }

    private static Header header(String description) {
        return new Header().description(description).schema(new StringSchema());
    }
}
