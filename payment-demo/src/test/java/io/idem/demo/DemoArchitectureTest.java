package io.idem.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class DemoArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.idem.demo");

    private static final String[] SERVICES = {
        "io.idem.demo.intake",
        "io.idem.demo.consumer",
        "io.idem.demo.payments",
        "io.idem.demo.payouts",
        "io.idem.demo.events",
        "io.idem.demo.ledger",
        "io.idem.demo.provider",
        "io.idem.demo.messaging"
    };

    @Test
    void theServicesKnowNothingOfTheStoryAroundThem() {
        noClasses()
                .that()
                .resideInAnyPackage(SERVICES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.idem.demo.supervisor",
                        "io.idem.demo.story",
                        "io.idem.demo.report",
                        "io.idem.demo.flow",
                        "io.idem.demo.page",
                        "io.idem.demo.watch",
                        "io.idem.demo.comparison")
                .check(CLASSES);
    }

    @Test
    void theJudgeKnowsNothingOfIdem() {
        noClasses()
                .that()
                .resideInAPackage("io.idem.demo.report")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.idem",
                        "io.idem.engine",
                        "io.idem.spi",
                        "io.idem.consumer..",
                        "io.idem.jdbc..",
                        "io.idem.http..")
                .check(CLASSES);
    }
}
