package io.iocluster.rabbit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Rules on the dependencies of the transport and of its packages. */
class RabbitLayersTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.rabbit");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void theTransportDependsOnNoInternalsOfTheCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..",
                        "io.iocluster.http..",
                        "io.iocluster.egress..",
                        "io.iocluster.retry..",
                        "io.iocluster.message..")
                .check(ALL);
    }

    @Test
    void theTransportDependsOnNoNodeNoOtherTransportAndNoTestkit() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.node..", "io.iocluster.kafka..", "io.iocluster.testkit..")
                .check(ALL);
    }

    @Test
    void onlyTheConnectorOpensConnections() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Connector")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("com.rabbitmq.client.ConnectionFactory")
                .check(ALL);
    }

    @Test
    void onlyConnectionsAndTheirInboundGuardUseNetty() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.(Connector|InboundGuard(Test)?|EventLoopThread|TlsContexts)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty..")
                .check(ALL);
    }
}
