package io.idem.http.contract;

import io.idem.Idempotent;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Handlers of both web stacks that springdoc describes. */
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
    String annotated(@PathVariable String id) {
        return id;
    }

    @Idempotent
    @PostMapping("/numbered/{id:[0-9]{1,4}}")
    String numbered(@PathVariable int id) {
        return "number " + id;
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

    @PostMapping("/webhooks")
    String webhook() {
        return "webhook";
    }

    @PostMapping("/open")
    String open() {
        return "open";
    }
}
