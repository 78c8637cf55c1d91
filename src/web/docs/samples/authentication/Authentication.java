// Lists the gates of your organization. Set BASE_URL and API_KEY first.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class Authentication {
  public static void main(String[] arguments) throws Exception {
    var url = System.getenv("BASE_URL") + "/integration/rest/api/v1/gate";
    var request = HttpRequest.newBuilder(URI.create(url))
        .header("X-AUTH-KEY", System.getenv("API_KEY"))
        .build();
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    System.out.println(response.body());
  }
}
