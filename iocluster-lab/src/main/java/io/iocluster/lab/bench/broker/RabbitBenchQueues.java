package io.iocluster.lab.bench.broker;

import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Three durable queues. The load pattern makes no difference, because RabbitMQ's client sends each message at once. */
record RabbitBenchQueues(RabbitBroker broker, String name) implements BenchQueues {

    List<String> names() {
        return List.of(requests(), answersQueue(), deadLettersQueue());
    }

    private String requests() {
        return name + "-requests";
    }

    private String answersQueue() {
        return name + "-answers";
    }

    private String deadLettersQueue() {
        return name + "-dead-letters";
    }

    @Override
    public EnvelopeWriter envelopes(LoadPattern load) {
        return new RabbitEnvelopeWriter(broker.uri(), requests());
    }

    @Override
    public AnswerPoller answers() {
        return new RabbitAnswerPoller(broker.uri(), answersQueue());
    }

    @Override
    public long deadLetters() {
        return broker.readyMessages(deadLettersQueue());
    }

    @Override
    public Map<String, Object> nodeSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("transport", "rabbit");
        settings.put("rabbit.uris", List.of(broker.uri()));
        settings.put("rabbit.requests.queue", requests());
        settings.put("rabbit.answers.routing-key", answersQueue());
        settings.put("rabbit.answers.reply-to", List.of("iocluster.replies.*"));
        settings.put("rabbit.dead-letters.queue", deadLettersQueue());
        // The announcements of a node are part of what it costs.
        settings.put("rabbit.declare.enabled", true);
        return settings;
    }

    @Override
    public List<String> naiveLoop(int maxInFlight, LoadPattern load) {
        return List.of(
                RabbitNaiveLoop.class.getName(),
                broker.uri(),
                requests(),
                answersQueue(),
                Integer.toString(maxInFlight));
    }

    @Override
    public void close() {
        names().forEach(broker::deleteQueue);
    }
}
