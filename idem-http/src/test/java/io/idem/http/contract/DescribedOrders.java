package io.idem.http.contract;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import java.util.Objects;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Handlers of both web stacks that springdoc describes, and what the application adds to the document. */
@RestController
public class DescribedOrders {

    @PostMapping("/orders")
    String create() {
        return "order";
    }

    @GetMapping("/orders")
    String list() {
        return "orders";
    }

    @Idempotent
    @PostMapping("/annotated/{id}")
    String annotated(@PathVariable String id, IdempotencyContext context, IdempotencyKey brought) {
        return id;
    }

    @Idempotent
    @PostMapping("/numbered/{id:[0-9]{1,4}}")
    String numbered(@PathVariable int id) {
        return "number " + id;
    }

    @PostMapping("/renamed/{id}/pay")
    String renamed(@PathVariable String id) {
        return id;
    }

    @Idempotent(required = false)
    @PostMapping("/optional")
    String optional() {
        return "optional";
    }

    @Idempotent
    @ApiResponse(responseCode = "409", description = "our own words")
    @PostMapping("/described")
    String described(@RequestHeader("idempotency-key") String key) {
        return key;
    }

    @Idempotent
    @Operation(
            parameters = @Parameter(ref = "#/components/parameters/Key"),
            responses = {
                @ApiResponse(responseCode = "200"),
                @ApiResponse(responseCode = "409", ref = "#/components/responses/Conflict")
            })
    @PostMapping("/referring")
    String referring() {
        return "referring";
    }

    @Idempotent
    @PostMapping("/shared-by-path")
    String sharedByPath() {
        return "shared by path";
    }

    @PostMapping("/webhooks")
    String webhook() {
        return "webhook";
    }

    @PostMapping("/open")
    String open() {
        return "open";
    }

    /** The document's own description of the key. */
    @Configuration
    public static class Document {

        @Bean
        OpenApiCustomizer components() {
            return document -> {
                document.getComponents()
                        .addParameters("Key", new HeaderParameter().name("idempotency-key"))
                        .addResponses(
                                "Conflict",
                                new io.swagger.v3.oas.models.responses.ApiResponse().description("our conflict"));
                Objects.requireNonNull(document.getPaths().get("/shared-by-path"))
                        .addParametersItem(new HeaderParameter().$ref("#/components/parameters/Key"));
            };
        }
    }
}
