package io.idem.demo.intake;

import java.security.Principal;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Answers a tenant's questions about its payments from the ledger. */
@RestController
class PaymentStatusController {

    private final JdbcClient jdbc;

    PaymentStatusController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/v1/payments/{id}")
    ResponseEntity<?> status(@PathVariable String id, Principal tenant) {
        return jdbc.sql("""
                        SELECT operation_id AS payment_id, 'settled' AS status, account, amount, currency, reference
                        FROM ledger WHERE operation_id = :id AND tenant = :tenant AND kind = 'payment'
                        ORDER BY id LIMIT 1
                        """)
                .param("id", id)
                .param("tenant", tenant.getName())
                .query(PaymentStatus.class)
                .optional()
                .<ResponseEntity<?>>map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.of(notThere()).build());
    }

    private static ProblemDetail notThere() {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.NOT_FOUND, "The ledger has no such payment: it is not settled yet, or not yours.");
    }
}
