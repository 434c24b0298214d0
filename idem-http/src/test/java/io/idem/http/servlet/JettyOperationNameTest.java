package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OperationNameContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@Tag("extended")
@AppTest(value = JettyOperationNameTest.OnJetty.class, settings = OperationNameContract.SETTINGS)
class JettyOperationNameTest extends OperationNameContract {

    JettyOperationNameTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({OperationNameTest.Application.class, JettyServer.class})
    static class OnJetty {}
}
