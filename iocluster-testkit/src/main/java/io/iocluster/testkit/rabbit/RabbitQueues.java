package io.iocluster.testkit.rabbit;

/** Erlang expressions for queues of the virtual host {@code /}. Stateless. */
public final class RabbitQueues {

    private RabbitQueues() {}

    /** Returns an expression whose value is {@code {ok, Queue}}, or {@code {error, not_found}} if there is no such queue. */
    public static String lookup(String queue) {
        return "rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + queue + "\">>))";
    }
}
