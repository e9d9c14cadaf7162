package io.iocluster.node.cli.deadletter;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.config.binding.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of an error code, or the code of a request that RabbitMQ dead-lettered. A misspelt one would select nothing. */
final class ErrorCodeArgument implements ITypeConverter<String> {

    private static final List<String> NAMES = Stream.concat(
                    Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName),
                    Stream.of("broker-delivery-limit", "broker-expired", "broker-maxlen", "broker-rejected"))
            .toList();

    @Override
    public String convert(String text) {
        if (!NAMES.contains(text)) {
            throw new TypeConversionException("'" + text + "' is not an error code" + NearestName.hint(text, NAMES));
        }
        return text;
    }
}
