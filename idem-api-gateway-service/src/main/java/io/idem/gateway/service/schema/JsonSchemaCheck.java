package io.idem.gateway.service.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.ValidationLimitExceededException;
import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.internal.intake.JsonObjectCheck;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RequestCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.Resource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Accepts bodies that are one JSON object and satisfy a JSON Schema of draft 2020-12 or 7. Others get 400 with the
 * first violations as {@code errors}, each by JSON pointer, none with a value of the body.
 *
 * <p>The check ends soon for any body: nesting is bounded by {@value BoundedJson#DEEPEST} levels, the work by
 * {@value Evaluation#MOST_STEPS} steps, and {@code pattern} matches in linear time. Nothing is ever fetched: references
 * stay within the schema. Does not block; thread-safe.
 */
public final class JsonSchemaCheck implements RequestCheck {

    private static final Logger LOG = LoggerFactory.getLogger(JsonSchemaCheck.class);

    private final RequestCheck object = new JsonObjectCheck();
    private final JsonNode document;
    private final Schema schema;

    private JsonSchemaCheck(JsonNode document) {
        this.document = document;
        this.schema = Compiler.compile(document);
    }

    /**
     * Returns the check for a schema that is read from a resource.
     *
     * @throws IllegalArgumentException if the schema cannot be read or checked; the message says why
     */
    public static JsonSchemaCheck of(Resource schema) {
        return new JsonSchemaCheck(SchemaDocument.read(schema));
    }

    /**
     * Returns the check for a schema given as text.
     *
     * @throws IllegalArgumentException if the schema cannot be checked; the message says why
     */
    public static JsonSchemaCheck of(String schema) {
        return new JsonSchemaCheck(SchemaDocument.parse(schema));
    }

    /**
     * Returns the schema as a part of another document, with its references adapted.
     *
     * @param root the schema's place in that document, such as {@code #/components/schemas/Payment}
     */
    public JsonNode documentAt(String root) {
        return EmbeddedSchema.at(root, document);
    }

    @Override
    public Optional<Refusal> check(IncomingRequest request, byte[] body) {
        return object.check(request, body).or(() -> judge(body));
    }

    private Optional<Refusal> judge(byte[] body) {
        JsonNode value;
        try {
            value = BoundedJson.read(body);
        } catch (JacksonException excessive) {
            return Optional.of(refusal("The body is nested too deeply, or has too large a number.", List.of()));
        }
        return judge(value);
    }

    private Optional<Refusal> judge(JsonNode value) {
        ExecutionContext evaluation = Evaluation.begin();
        try {
            schema.validate(evaluation, value);
        } catch (ValidationLimitExceededException | Evaluation.ExceededException excessive) {
            return Optional.of(refusal("The body is too much work to be checked; send less at a time.", List.of()));
        } catch (RuntimeException failure) {
            // The message of the exception contains a value of the client, so only its class is logged.
            LOG.warn("A body could not be checked against its schema and was refused: {}", failure.getClass());
            return Optional.of(refusal("The body has a value that cannot be checked.", List.of()));
        }
        List<Map<String, Object>> errors = Violations.of(evaluation.getErrors());
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(refusal("The members that errors names are not as they must be.", errors));
    }

    private static Refusal refusal(String detail, List<Map<String, Object>> errors) {
        return Refusal.of(GatewayProblem.BODY_SCHEMA_VIOLATED, detail).with(Map.of("errors", errors));
    }
}
