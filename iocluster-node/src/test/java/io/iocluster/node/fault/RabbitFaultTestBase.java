package io.iocluster.node.fault;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Uses the RabbitMQ that test classes share, and creates queues, a target and at most one answer recorder for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RabbitFaultTestBase {

    RabbitBroker broker;
    RabbitNodeFixture nodes;
    private AnswerRecorder answers;

    @BeforeAll
    void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @BeforeEach
    void createFixture() {
        nodes = new RabbitNodeFixture(broker);
    }

    @AfterEach
    void closeFixture() {
        if (answers != null) {
            answers.close();
            answers = null;
        }
        nodes.close();
    }

    /** Records the answers until the test ends. A node must have declared their queue. */
    AnswerRecorder recordAnswers() throws IOException {
        answers = AnswerRecorder.of(nodes.settings());
        return answers;
    }

    /** Waits until the target has this number of open requests. */
    void awaitOpenRequests(int count) {
        await().atMost(RabbitNodeFixture.LONG)
                .until(() -> nodes.target.requestLog().open() == count);
    }
}
