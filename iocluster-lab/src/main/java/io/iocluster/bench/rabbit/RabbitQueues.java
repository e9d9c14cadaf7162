package io.iocluster.bench.rabbit;

import io.iocluster.bench.naive.RabbitNaiveLoop;
import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
import io.iocluster.bench.queue.MainCommand;
import io.iocluster.client.ClientTransport;
import io.iocluster.rabbit.RabbitClientTransport;
import io.iocluster.testkit.broker.RabbitBroker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Three durable queues. RabbitMQ's clients send each message at once, so that it makes no difference what is asked for. */
record RabbitQueues(RabbitBroker broker, String name) implements BenchQueues {

    List<String> names() {
        return List.of(requests(), answered(), dead());
    }

    private String requests() {
        return name + "-requests";
    }

    private String answered() {
        return name + "-answers";
    }

    private String dead() {
        return name + "-dead-letters";
    }

    @Override
    public Envelopes envelopes(Load load) {
        return new RabbitEnvelopes(broker.uri(), requests());
    }

    @Override
    public Answers answers() {
        return new RabbitAnswers(broker.uri(), answered());
    }

    @Override
    public ClientTransport client() {
        return RabbitClientTransport.at(broker.uri()).requests(requests()).answers(answered());
    }

    @Override
    public long deadLetters() {
        return broker.depth(dead());
    }

    @Override
    public Map<String, Object> nodeSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("transport", "rabbit");
        settings.put("rabbit.uris", List.of(broker.uri()));
        settings.put("rabbit.requests.queue", requests());
        settings.put("rabbit.answers.routing-key", answered());
        settings.put("rabbit.answers.reply-to", List.of("iocluster.replies.*"));
        settings.put("rabbit.dead-letters.queue", dead());
        return settings;
    }

    @Override
    public MainCommand naiveLoop(int maxInFlight, Load load) {
        return new MainCommand(
                RabbitNaiveLoop.class.getName(),
                List.of(broker.uri(), requests(), answered(), Integer.toString(maxInFlight)));
    }

    @Override
    public void close() {
        names().forEach(broker::deleteQueue);
    }
}
